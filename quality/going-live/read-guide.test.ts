import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { acts } from './trial-events.ts'
import { listExports, readGuide, replaceValues } from './read-guide.ts'
import { knownVariableNames } from './guide-variables.ts'

const text = readFileSync('docs/going-live.md', 'utf8')
const steps = readGuide(text)
const blocks = steps.flatMap((step) => (step.kind === 'commands' ? [step] : []))

describe('the commands in docs/going-live.md', () => {
  test('the test runs more than 30 command blocks from the going-live guide and skips three', () => {
    expect(blocks.filter(({ of }) => of === 'everywhere').length).toBeGreaterThan(30)
    // Blocks that need Debian's npm, a public certificate, or a report from the gateway.
    expect(blocks.filter(({ of }) => of === 'elsewhere').map(({ heading }) => heading)).toEqual([
      'Packages, user, folders',
      'Certificates',
      'Orders after the backup',
    ])
  })

  test('the going-live guide asks only for values that the test program can provide', () => {
    for (const { code, line } of blocks.filter(({ of }) => of === 'yours')) {
      const { names, others } = listExports(code)
      expect({ line, unknown: names.filter((name) => !knownVariableNames.has(name)) }).toEqual({ line, unknown: [] })
      expect(others.filter((other) => other !== 'umask 022')).toEqual([])
    }
  })

  test('the going-live guide mentions exactly those events that the test program can simulate', () => {
    const named = steps.flatMap((step) => (step.kind === 'act' ? [step.act] : []))
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(acts).toSorted())
  })

  test('every block of the going-live guide is valid bash', () => {
    for (const { code, line } of blocks) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' })
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' })
    }
  })

  test('every link within the going-live guide leads to one of its own headings', () => {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor)
  })

  test('the commands in the going-live guide write every setting that is needed to start Fantail', () => {
    const written = new Set([...text.matchAll(/^([A-Z_]+)="/gm)].map(([, name]) => name))
    const config = readFileSync('kit/server/config/service-configs.ts', 'utf8')
    const groups = [...config.matchAll(/^const (?:card|network|mail|sms)SettingNames = \{([^}]*)\}/gm)].map(
      ([, list]) => list,
    )
    expect(groups).toHaveLength(4)
    const needed = groups.flatMap((list = '') => [...list.matchAll(/'([A-Z_]+)'/g)].map(([, name]) => name))
    for (const name of [...needed, 'PUBLIC_URL', 'PROVIDER_DIR', 'DATABASE_URL', 'SECRET_KEY', 'TRUSTED_PROXIES'])
      expect(written).toContain(name)
  })
})

describe('parsing the going-live guide', () => {
  test('parsing a going-live guide returns its blocks and events in order, each with its heading', () => {
    const page = '# A\n\n```sh\nls\n```\n\n## B\n<!-- trial: it rains -->\n```sh yours\nexport X=1\n```\n'
    expect(readGuide(page)).toEqual([
      { kind: 'commands', heading: 'A', line: 3, of: 'everywhere', code: 'ls\n' },
      { kind: 'act', heading: 'B', line: 8, act: 'it rains' },
      { kind: 'commands', heading: 'B', line: 9, of: 'yours', code: 'export X=1\n' },
    ])
  })

  test.each(['```ini\nx\n```\n', '```sh perhaps\nx\n```\n', '```sh\nx\n'])(
    'parsing the going-live guide fails on the block %j',
    (page) => {
      expect(() => readGuide(page)).toThrow(/^line 1: /)
    },
  )

  test('values inserted into the going-live guide’s commands are safely quoted', () => {
    expect(replaceValues("export A=1 # one\nexport B='two'\n", (name) => `${name}'s`)).toBe(
      `export A='A'\\''s'\nexport B='B'\\''s'\n`,
    )
  })
})
