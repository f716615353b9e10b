// A simulated device with Modbus over TCP: an air conditioner whose temperature goes to its target.
import { once } from "node:events";
import modbusSerial from "modbus-serial";

/** The values of its registers, in tenths of a degree. */
const registers = new Map([
  [0, 285],
  [1, 240],
]);

/** @returns what stops it */
export async function startDevice(port: number): Promise<() => Promise<void>> {
  const read = (at: number): number => registers.get(at) ?? 0;
  const device = new modbusSerial.ServerTCP(
    {
      // Input register 0 is the temperature, holding register 1 the target.
      getInputRegister: read,
      getHoldingRegister: read,
      setRegister(at: number, value: number) {
        registers.set(at, value);
        if (at === 1) registers.set(0, value);
      },
    },
    { host: "127.0.0.1", port, unitID: 0 },
  );
  await once(device, "initialized");
  return () => new Promise((resolve) => device.close(() => resolve()));
}

if (process.argv[1] === import.meta.filename) {
  await startDevice(5020);
  console.log("An air conditioner answers on 127.0.0.1:5020.");
}
