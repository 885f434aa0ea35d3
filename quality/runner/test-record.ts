import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule } from 'vitest/node'

/** An entry in a vitest run's record. The record is written line by line, so that a crash loses nothing. */
export type Entry =
  | { files: number }
  | { began: string }
  | { file: string; test: string; state: 'passed' | 'failed' | 'skipped'; why?: string }
  | { ended: string; seconds: number; faults: string[] }
  | { unhandled: string }

/** The environment variable that contains the record's path. Whichever program starts vitest sets it. */
export const recordPathVariable = 'TEST_DIARY'

export function createTestRecordReporter(path: string): Reporter {
  const write = (entry: Entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`)
  return {
    onTestRunStart: (files) => write({ files: files.length }),
    onTestModuleStart: (module) => write({ began: getTestPath(module) }),
    onTestCaseResult(test) {
      const { state, errors = [] } = test.result()
      if (state === 'pending') return
      write({
        file: getTestPath(test.module),
        test: test.fullName,
        state,
        ...(state === 'failed' && { why: told(errors) }),
      })
    },
    onTestModuleEnd(module) {
      const modulesAndSuites = [module, ...module.children.allSuites()]
      const faults = modulesAndSuites.flatMap((place) => place.errors().map((error) => told([error])))
      write({ ended: getTestPath(module), seconds: module.diagnostic().duration / 1_000, faults })
    },
    onTestRunEnd(_, unhandled) {
      for (const error of unhandled) write({ unhandled: told([error]) })
    },
  }
}

/** Reads the record of a run, leaving out the last line if it is incomplete. */
export function readRecord(path: string): Entry[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Entry)
}

const getTestPath = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId).replaceAll('\\', '/')

/** The maximum number of lines from a diff. CI shows only the beginning of a failure, which has to leave room for where it happened. */
const maxDiffLines = 8

const told = (errors: readonly { message: string; stack?: string | undefined; diff?: string | undefined }[]): string =>
  errors
    .flatMap(({ message, stack = message, diff }) => {
      const [first = '', ...places] = stack.split(/\n(?= {4}at )/)
      return [first, ...(diff ? stripVTControlCharacters(diff).split('\n').slice(0, maxDiffLines) : []), ...places]
    })
    .join('\n')
