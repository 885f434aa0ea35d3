import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QueryListener } from '#kit/server/db.ts'

export const statementsFolder = 'STATEMENTS_FOLDER'

/** Normalises a statement, so that statements differing only in the length of a list become equal. */
export const normaliseStatement = (statement: string): string =>
  statement
    .replace(/\(\$\d+(?:, \$\d+)+\)/g, '(…)')
    .replace(/\(…\)(?:, \(…\))+/g, '(…)')
    .replace(/\$\d+/g, '$')

const ownFramePattern = /^\s+at .*?([\w./-]+\.tsx?):\d+:\d+\)?$/
const skippedFramePattern =
  /\/node_modules\/|\/kit\/server\/(?:compile-once|db|embedded|postgres|read-together)[\w-]*\.ts|\/quality\/query-plans\//

function findCallingFile(): string | null {
  const previousLimit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const stack = new Error().stack ?? ''
  Error.stackTraceLimit = previousLimit
  for (const line of stack.split('\n')) {
    const [, file] = ownFramePattern.exec(line) ?? []
    if (file && !skippedFramePattern.test(line)) return file
  }
  return null
}

const isTestFile = (file: string): boolean => /\/(?:quality|demo|simulators)\/|\.(?:test|e2e|attack)\.tsx?$/.test(file)

const known = new Set<string>()

export function collectStatements(): QueryListener | undefined {
  const folder = process.env[statementsFolder]
  if (!folder) return undefined
  return ({ statement }) => {
    const shape = normaliseStatement(statement)
    if (known.has(shape)) return
    const file = findCallingFile()
    if (file === null || isTestFile(file)) return
    known.add(shape)
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ statement, file })}\n`)
  }
}
