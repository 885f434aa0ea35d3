import { readFileSync } from 'node:fs'

/** The megabytes of memory of a process; null when it is gone, or the system does not say. */
export const megabytesOf = (pid: number | null): number | null => readStatusMegabytes(pid, /VmRSS:\s+(\d+) kB/)

/** The most megabytes of memory that a process has had since its start; null as above. */
export const peakMegabytesOf = (pid: number | null): number | null => readStatusMegabytes(pid, /VmHWM:\s+(\d+) kB/)

function readStatusMegabytes(pid: number | null, line: RegExp): number | null {
  if (pid === null) return null
  try {
    const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes ? Number(kilobytes) / 1024 : null
  } catch {
    return null
  }
}
