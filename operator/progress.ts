import type { CommandDesk } from './command.ts'

const everyMs = 1_000

/** Says how something goes on, beside what is answered, and not too often. */
export function createProgress(desk: CommandDesk): { say(line: string): void } {
  let saidAt = performance.now()
  return {
    say(line) {
      if (performance.now() - saidAt < everyMs) return
      saidAt = performance.now()
      desk.complain(line)
    },
  }
}
