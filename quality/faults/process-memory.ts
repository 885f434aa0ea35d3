import { readFileSync } from 'node:fs'

/** Returns how much memory a process uses, in megabytes; null if the process has ended or the system does not report it. */
export const readMemoryMegabytes = (pid: number | null): number | null => readStatusMegabytes(pid, /VmRSS:\s+(\d+) kB/)

/**
 * Returns the most memory that a process has used since it started, in megabytes; null if the process has ended or the system does not
 * report it.
 */
export const readPeakMegabytes = (pid: number | null): number | null => readStatusMegabytes(pid, /VmHWM:\s+(\d+) kB/)

function readStatusMegabytes(pid: number | null, line: RegExp): number | null {
  if (pid === null) return null
  try {
    const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes ? Number(kilobytes) / 1024 : null
  } catch {
    return null
  }
}
