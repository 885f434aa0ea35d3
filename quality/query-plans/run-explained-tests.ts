import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Tally, vitest } from '#quality/runner/test-tally.ts'
import { statementsFolder } from './collect-statements.ts'

export async function runExplainedTests(): Promise<Tally[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-statements-'))
  try {
    const env = { [statementsFolder]: folder }
    return [
      await vitest('API tests on PostgreSQL', ['postgres-api'], { minutes: 55, env }),
      await vitest('plans of all statements', ['query-plans'], { minutes: 2, env }),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
