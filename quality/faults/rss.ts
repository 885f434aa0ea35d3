import { readFileSync } from 'node:fs'

/** Megabytes of memory that a process has; null where it is gone, or where the system does not say. */
export const megabytesOf = (pid: number | null): number | null => statusOf(pid, /VmRSS:\s+(\d+) kB/)

/** The most megabytes of memory that a process has ever had since it started; null as above. */
export const peakMegabytesOf = (pid: number | null): number | null => statusOf(pid, /VmHWM:\s+(\d+) kB/)

function statusOf(pid: number | null, line: RegExp): number | null {
  if (pid === null) return null
  try {
    const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes ? Number(kilobytes) / 1024 : null
  } catch {
    return null
  }
}
