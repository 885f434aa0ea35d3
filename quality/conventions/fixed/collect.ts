import { findOperatorAnswers } from './operator-answers.ts'
import { findColumns, unionOf } from './types.ts'
import { findFields, findPages, findRoutes } from './endpoints.ts'
import { findChecks, findMigrations } from './migrations.ts'
import * as runTime from './names-at-run-time.ts'
import { findNames } from './names-in-source.ts'
import { readSources } from './sources.ts'

export async function collect(): Promise<Map<string, string[]>> {
  const sources = readSources()
  const inSource = findNames(sources)
  const { columns, values } = findColumns(sources)
  const { 'watching-routes': watchingRoutes, files, ...others } = inSource
  const kinds: Record<string, Iterable<string>> = {
    ...others,
    routes: [
      ...(await findRoutes()),
      ...[...watchingRoutes].map((path) => `watching GET ${path}`),
      ...[...files].map((path) => `file ${path}`),
    ],
    pages: findPages(),
    fields: findFields(),
    commands: [...runTime.findCommands(), ...(await runTime.findExits())],
    settings: [...runTime.findSettings(), ...inSource.settings],
    metrics: [...runTime.findFigures(), ...inSource.metrics],
    alerts: runTime.findAlerts(),
    work: runTime.findWork(),
    premises: runTime.findPremises(),
    'browser-storage': [...runTime.findCaches(), ...inSource['browser-storage']],
    'operator-answers': findOperatorAnswers(sources),
    columns,
    'column-values': values,
    'audit-events': unionOf(sources, 'kit/server/audit.ts', 'AuditEvent').map(String),
    checks: findChecks(),
    migrations: findMigrations(),
  }
  return new Map(Object.entries(kinds).map(([kind, lines]) => [kind, [...new Set(lines)].sort()]))
}
