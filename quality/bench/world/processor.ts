import { readFileSync } from 'node:fs'

/** The system's ticks are hundredths of a second. */
const msOfTick = 10

/**
 * Milliseconds that a process has worked so far, in all its threads. Unlike the time on the clock they leave out the waiting for whatever
 * else the machine does. Null where the system does not say.
 */
export function processorMs(pid: number | null): number | null {
  try {
    // A program's name, which comes before, may hold anything but a bracket at its end.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msOfTick
  } catch {
    return null
  }
}
