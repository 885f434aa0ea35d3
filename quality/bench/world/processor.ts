import { readFileSync } from 'node:fs'

/** The system's ticks are hundredths of a second. */
const msPerTick = 10

/**
 * Milliseconds of processor time of a process so far, in all its threads. Unlike elapsed time, they leave out waiting for other work of
 * the machine. Null where the system does not say.
 */
export function processorMs(pid: number | null): number | null {
  try {
    // The program's name comes first, and may contain anything except a bracket at its end.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return null
  }
}
