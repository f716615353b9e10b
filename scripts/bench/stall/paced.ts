/** The name of the model whose answer goes on and on, a chunk each so many milliseconds. */
export const pacedModel = "paced";
export const pacing = 10;
