import type { CommandDesk } from './command.ts'

const everyMs = 1_000

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
