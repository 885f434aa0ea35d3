import { readFileSync } from 'node:fs'

/** Linux counts processor time in ticks of a hundredth of a second. */
const msPerTick = 10

/**
 * Processor time in milliseconds that a process has used so far in all its threads. Unlike elapsed time, processor time excludes waiting
 * for other programs. Null where the system does not report it.
 */
export function processorMs(pid: number | null): number | null {
  try {
    // The program's name precedes the numbers and may contain any character, so split the text after its closing bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return null
  }
}
