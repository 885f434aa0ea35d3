import { readFileSync } from 'node:fs'
import type { Deps } from '#app/deps.ts'
import { offlineAssets, workerPath } from '#app/render/offline.ts'
import { frequentlyReadFigures, stockFigures } from '#app/watching/figures.table.ts'
import { workTables } from '#app/work-tables.ts'
import { jobs, createSweeps, createUpkeepTasks } from '#app/worker.ts'
import { formatAlertSendCondition } from '#features/alerts/server/usage-poll.ts'
import type { PlanStatus } from '#features/auto-renewal/server/plan-status.ts'
import { computeSendCondition } from '#features/auto-renewal/server/send-condition.ts'
import { createTasksCondition } from '#features/operator-tasks/server/tasks-condition.ts'
import { buildPortSendCondition } from '#features/porting/server/port-send-condition.ts'
import { type PortingRequest } from '#features/porting/server/porting.store.ts'
import { readConfig, readDatabaseConfig } from '#kit/server/config.ts'
import { exitCodes } from '#operator/command.ts'
import { commands } from '#operator/commands.ts'
import { formatHelp } from '#operator/help.ts'
import { runOperator } from '#operator/operator.ts'
import { fantailProvider } from '#quality/support/provider.ts'

const desk = { dataDir: '/nowhere', print() {}, printError() {}, ask: async () => false }

export const findCommands = (): string[] => [
  ...commands.flatMap(({ usage, options = {}, checkCommand: look }) => [
    `command ${usage}`,
    ...Object.entries(options).map(([name, { type }]) => `option ${usage} --${name} ${type}`),
    ...(look ? [`looked up with ${usage}: ${look}`] : []),
  ]),
  ...[
    ...(formatHelp(desk, commands, []).join(' ').split('Options for every command: ')[1] ?? '').matchAll(/--[a-z]+/g),
  ].map(([option]) => `option of every command ${option}`),
  ...Object.entries(exitCodes).map(([, code]) => `exit code ${code}`),
]

export async function findExitCodes(): Promise<string[]> {
  const getExitCode = (line: string) => runOperator(line.split(' '), desk)
  return [
    `--help exits with ${await getExitCode('--help')}`,
    `an unknown command exits with ${await getExitCode('nothing at all')}`,
    `an unknown option exits with ${await getExitCode('tasks list --nothing')}`,
    `a command without a product exits with ${await getExitCode('tasks list')}`,
  ]
}

export const findFigures = (): string[] =>
  [...frequentlyReadFigures, ...stockFigures].flatMap(({ label, known = [], gauges }) =>
    Object.values(gauges).flatMap(({ name }) => [
      `${name} ${label ?? ''}`.trimEnd(),
      ...known.map((value) => `${name} ${label}="${value}"`),
    ]),
  )

export function findAlerts(): string[] {
  const rules = readFileSync('deploy/prometheus/alerts.yml', 'utf8').split('- alert: ').slice(1)
  const sections = readFileSync('docs/alerts.md', 'utf8').matchAll(/^## (.*)$/gm)
  return [
    ...rules.map((rule) => {
      const [, severity] = /severity: (\w+)/.exec(rule) ?? []
      const [, section] = /runbook_url: (\S+)/.exec(rule) ?? []
      return `alert ${rule.split('\n')[0]} ${severity} ${section}`
    }),
    ...[...sections].map(([, title]) => `section ${title}`),
  ]
}

const deps = { thresholds: {} } as Deps

export const findBackgroundWork = (): string[] => [
  ...jobs(deps).map(({ name }) => `job ${name}`),
  ...workTables.map(({ queue, table }) => `queue ${queue} of ${table}`),
  ...createUpkeepTasks(deps).map(({ name }) => `upkeep ${name}`),
  ...createSweeps(deps).map(({ name }) => `sweep ${name}`),
]

export function findSendConditions(): string[] {
  const at = Temporal.Instant.from('2030-01-02T03:04:05Z')
  const port = (status: string) => ({ id: 'ID', status }) as PortingRequest
  const plan = (outlook: object) => ({ orderId: 'ORDER', outlook: outlook as PlanStatus })
  const today = Temporal.PlainDate.from('2030-01-02')
  const renewalState = { isRenewing: true, charge: { at }, card: { stored_id: 'CARD' }, failure: null, now: at, today }
  return [
    createTasksCondition({ open: ['1', '2'], ended: ['3'] }),
    buildPortSendCondition(port('SUBMITTED')),
    buildPortSendCondition(port('SUBMITTED'), 'information'),
    buildPortSendCondition(port('COMPLETED')),
    formatAlertSendCondition(at, 80),
    computeSendCondition('6421', plan({ ...renewalState, state: 'renews' })),
    computeSendCondition('6421', plan({ state: 'ends', now: at, today, isRenewing: false, failure: 'refused' })),
  ]
}

export function findCaches(): string[] {
  const worker = offlineAssets(fantailProvider.brand, '').get(workerPath)?.body.toString() ?? ''
  const [, name = ''] = /const name = "(.*?)"/.exec(worker) ?? []
  return [`cache ${name.replace(/[\da-f]{8}$/, '{}')}`]
}

export function findSettings(): string[] {
  const asked = new Set<string>()
  for (const values of environments) {
    const env = new Proxy<Record<string, string>>(values, {
      get(_, name) {
        asked.add(String(name))
        return values[String(name)] ?? values['*']
      },
    })
    for (const read of [readConfig, readDatabaseConfig])
      try {
        read(env)
      } catch {
        // Ignore the error: all of these environments are invalid, and the only thing that matters is which settings were read.
      }
  }
  return [...asked]
}

const buildAccessSettings = (kind: string) => ({ NETWORK_AUTH: kind, SMS_AUTH: kind })
/** Environments in which Fantail reads additional settings. `*` is the value of every setting that is not listed. */
const environments: Record<string, string>[] = [
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_TRACES_SAMPLER: 'traceidratio' },
  ...['demo', 'production'].flatMap((MODE) =>
    ['none', 'header', 'basic', 'oauth2'].map((kind) => ({
      MODE,
      ROLE: 'all',
      ...buildAccessSettings(kind),
      '*': '1',
    })),
  ),
]
