/** Returns the errors and warnings in the processes' logs, grouped by message and counted, most frequent first. */
export function countLogLines(
  lines: readonly string[],
): { level: 'error' | 'warn' | 'other'; message: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const { level, message } = parseLogLine(line)
    const key = `${level} ${message}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, count]) => {
      const [level = 'other'] = key.split(' ')
      return { level: level as 'error' | 'warn' | 'other', message: key.slice(level.length + 1), count }
    })
}

/** Parses one line of a process's output. Fantail logs JSON, but a crash message, for example, may be any text. */
function parseLogLine(line: string): { level: string; message: string } {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } }
    if (level === undefined) return { level: 'other', message: line.slice(0, 160) }
    const cause = err?.message && err.message !== msg ? `: ${err.message.slice(0, 120)}` : ''
    return { level: level >= 50 ? 'error' : 'warn', message: `${msg ?? ''}${cause}` }
  } catch {
    return { level: 'other', message: line.slice(0, 160) }
  }
}
