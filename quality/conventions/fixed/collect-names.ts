import { findOperatorAnswers } from './operator-answers.ts'
import { findColumns, listUnionValues } from './types.ts'
import { findFields, findPages, findRoutes } from './endpoints.ts'
import { findChecks, findMigrations } from './migrations.ts'
import * as runTime from './names-at-run-time.ts'
import { findNames } from './names-in-source.ts'
import { readSources } from './sources.ts'

export async function collectNames(): Promise<Map<string, string[]>> {
  const sources = readSources()
  const sourceNames = findNames(sources)
  const { columns, values } = findColumns(sources)
  const { 'watching-routes': watchingRoutes, files, ...others } = sourceNames
  const kinds: Record<string, Iterable<string>> = {
    ...others,
    routes: [
      ...(await findRoutes()),
      ...[...watchingRoutes].map((path) => `watching GET ${path}`),
      ...[...files].map((path) => `file ${path}`),
    ],
    pages: findPages(),
    fields: findFields(),
    commands: [...runTime.findCommands(), ...(await runTime.findExitCodes())],
    settings: [...runTime.findSettings(), ...sourceNames.settings],
    metrics: [...runTime.findFigures(), ...sourceNames.metrics],
    alerts: runTime.findAlerts(),
    work: runTime.findBackgroundWork(),
    premises: runTime.findSendConditions(),
    'browser-storage': [...runTime.findCaches(), ...sourceNames['browser-storage']],
    'operator-answers': findOperatorAnswers(sources),
    columns,
    'column-values': values,
    'audit-events': listUnionValues(sources, 'kit/server/audit.ts', 'AuditEvent').map(String),
    checks: findChecks(),
    migrations: findMigrations(),
  }
  return new Map(Object.entries(kinds).map(([kind, lines]) => [kind, [...new Set(lines)].sort()]))
}
