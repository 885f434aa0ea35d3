import { conflict, invalidForm, notFound } from '#kit/server/refusal.ts'
import { writeCatalogueFile } from '#features/plans/server/catalogue-file.ts'
import { readFolder } from '#features/plans/server/catalogue-folder.ts'
import { findVersion } from '#features/plans/server/catalogue.store.ts'
import { callOffCatalogue } from '#features/plans/server/catalogue.ts'
import { reasonLine } from '#desk/features/staff/reasons.contract.ts'
import { confirmAct } from '#desk/features/staff/server/confirm.ts'
import type { StaffDeps } from '#desk/features/staff/server/staff.deps.ts'
import { actorOf, deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  askPublish,
  callOffVersion,
  catalogueMessages,
  dropDraft as dropCall,
  makeDraft,
  makeDraftOfFolder,
  publishAct,
  publishDraft,
  readCatalogue,
  readDraft,
  readVersion,
  readVersionFile,
  replaceDraft,
} from '../catalogue.contract.ts'
import { type CatalogueViewDeps, viewCatalogue, viewDraft, viewVersion } from './catalogue.view.ts'
import { findDraft } from './drafts.store.ts'
import { changeDraft, dropDraft, keepDraft, sourceOf } from './drafts.ts'
import { askToPublish, publishAlone } from './publish.ts'

const admin = { who: ['admin'] } as const
/** Every member of staff may read the catalogue. A decider must be able to read a draft before deciding about it. */
const anybody = { who: 'staff' } as const

export const catalogueRoutes = (deps: CatalogueViewDeps & StaffDeps): DeskRoute[] => [
  deskRoute(readCatalogue, anybody, () => viewCatalogue(deps)),
  deskRoute(readVersion, anybody, async ({ params }) => found(await viewVersion(deps, Number(params.number)))),
  deskRoute(readVersionFile, anybody, async ({ params }) =>
    writeCatalogueFile(found(await findVersion(deps.db, Number(params.number))).content),
  ),
  deskRoute(readDraft, anybody, async ({ staff, params }) =>
    viewDraft(deps, staff.id, found(await findDraft(deps.db, Number(params.number)))),
  ),
  deskRoute(makeDraft, admin, async ({ staff, body }) => ({ number: await keepDraft(deps, staff, sourceOf(body)) })),
  deskRoute(makeDraftOfFolder, admin, async ({ staff }) => {
    const folder = readFolder(deps)
    if ('faults' in folder) throw invalidForm('The provider’s folder has faults, so no draft was made.')
    const source = { source: 'The provider’s folder', catalogue: folder.catalogue }
    return { number: await keepDraft(deps, staff, source) }
  }),
  deskRoute(replaceDraft, admin, async ({ staff, params, body }) => {
    await changeDraft(deps, staff, { number: Number(params.number), hash: body.hash }, sourceOf(body))
    return {}
  }),
  deskRoute(dropCall, admin, async ({ staff, params, body }) => {
    await dropDraft(deps, staff, { number: Number(params.number), hash: body.hash })
    return {}
  }),
  deskRoute(publishDraft, admin, async ({ visit, staff, params, body: { answer, ...body } }) => {
    const wish = { ...body, number: Number(params.number) }
    await confirmAct(deps, { visit, staff, act: publishAct('publish', wish), answer })
    return { version: await publishAlone(deps, staff, wish) }
  }),
  deskRoute(askPublish, admin, async ({ visit, staff, params, body: { answer, ...body } }) => {
    const wish = { ...body, number: Number(params.number) }
    await confirmAct(deps, { visit, staff, act: publishAct('ask', wish), answer })
    const { id, lapses_at } = await askToPublish(deps, staff, wish)
    return { id, lapses: lapses_at.toISOString() }
  }),
  deskRoute(callOffVersion, admin, async ({ staff, params, body }) => {
    const number = Number(params.number)
    found(await findVersion(deps.db, number))
    if (!(await callOffCatalogue(deps, number, actorOf(staff, reasonLine(body)))))
      throw conflict(catalogueMessages.notToCome)
    return {}
  }),
]

function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw notFound()
  return thing
}
