import { readFileSync } from 'node:fs'

/** Megabytes of memory that a process has; null where it is gone, or where the system does not say. */
export function megabytesOf(pid: number | null): number | null {
  if (pid === null) return null
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes ? Number(kilobytes) / 1024 : null
  } catch {
    return null
  }
}
