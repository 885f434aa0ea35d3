import type { CommandContext } from './command.ts'

const intervalMs = 1_000

export function createProgressPrinter(context: CommandContext): { say(line: string): void } {
  let lastPrintedAt = performance.now()
  return {
    say(line) {
      if (performance.now() - lastPrintedAt < intervalMs) return
      lastPrintedAt = performance.now()
      context.printError(line)
    },
  }
}
