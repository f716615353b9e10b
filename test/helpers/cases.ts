/** How many generated cases a test tries that starts programs or takes long: `npm run test:slow` tries more. */
export const cases = (few: number): number => few * Number(import.meta.env["MORE_CASES"] || 1);
