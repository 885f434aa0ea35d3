import { readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const msPerTick = 10

/**
 * The processor time, in milliseconds, that all of a process's threads have used so far. Unlike elapsed time, it does not include waiting
 * for other programs. Null where the system does not report it.
 */
export function readCpuMs(pid: number | null): number | null {
  try {
    // The program's name comes before the numbers and may contain any character, so split only the text after the closing bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return null
  }
}
