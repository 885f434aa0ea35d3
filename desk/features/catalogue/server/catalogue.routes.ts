import { conflict, formError, notFound } from '#kit/server/http-error.ts'
import { writeCatalogueFile } from '#features/plans/server/catalogue-file.ts'
import { readCatalogueFolder } from '#features/plans/server/read-catalogue-folder.ts'
import { findVersion } from '#features/plans/server/catalogue.store.ts'
import { cancelScheduledCatalogue } from '#features/plans/server/catalogue.ts'
import { formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import { requireActionConfirmation } from '#desk/features/staff/server/action-confirmation.ts'
import type { StaffDeps } from '#desk/features/staff/server/staff.deps.ts'
import { toStaffActor, deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  requestPublication,
  cancelVersion,
  catalogueMessages,
  dropDraft as dropCall,
  createDraft,
  createDraftFromFolder,
  publicationActionName,
  publishDraft,
  readCatalogue,
  readDraft,
  readVersion,
  readVersionFile,
  replaceDraft,
} from '../catalogue.contract.ts'
import { type CatalogueViewDeps, viewCatalogue, viewDraft, viewVersion } from './catalogue.view.ts'
import { findDraft } from './drafts.store.ts'
import { changeDraft, dropDraft, storeDraft, parseCatalogueUpload } from './drafts.ts'
import { requestPublishApproval, publishWithoutApproval } from './publish.ts'

const adminOnly = { who: ['admin'] } as const
/** All staff may read the catalogue, because anyone who decides about a draft must be able to read it first. */
const anyStaff = { who: 'staff' } as const

export const catalogueRoutes = (deps: CatalogueViewDeps & StaffDeps): DeskRoute[] => [
  deskRoute(readCatalogue, anyStaff, () => viewCatalogue(deps)),
  deskRoute(readVersion, anyStaff, async ({ params }) => requireFound(await viewVersion(deps, Number(params.number)))),
  deskRoute(readVersionFile, anyStaff, async ({ params }) =>
    writeCatalogueFile(requireFound(await findVersion(deps.db, Number(params.number))).content),
  ),
  deskRoute(readDraft, anyStaff, async ({ staff, params }) =>
    viewDraft(deps, staff.id, requireFound(await findDraft(deps.db, Number(params.number)))),
  ),
  deskRoute(createDraft, adminOnly, async ({ staff, body }) => ({
    number: await storeDraft(deps, staff, parseCatalogueUpload(body)),
  })),
  deskRoute(createDraftFromFolder, adminOnly, async ({ staff }) => {
    const folder = readCatalogueFolder(deps)
    if ('faults' in folder) throw formError('The provider’s catalogue folder has faults, so no draft was made.')
    const draftSource = { source: 'The provider’s folder', catalogue: folder.catalogue }
    return { number: await storeDraft(deps, staff, draftSource) }
  }),
  deskRoute(replaceDraft, adminOnly, async ({ staff, params, body }) => {
    await changeDraft(deps, staff, { number: Number(params.number), hash: body.hash }, parseCatalogueUpload(body))
    return {}
  }),
  deskRoute(dropCall, adminOnly, async ({ staff, params, body }) => {
    await dropDraft(deps, staff, { number: Number(params.number), hash: body.hash })
    return {}
  }),
  deskRoute(publishDraft, adminOnly, async ({ visit, staff, params, body: { answer, ...body } }) => {
    const publication = { ...body, number: Number(params.number) }
    await requireActionConfirmation(deps, { visit, staff, act: publicationActionName('publish', publication), answer })
    return { version: await publishWithoutApproval(deps, staff, publication) }
  }),
  deskRoute(requestPublication, adminOnly, async ({ visit, staff, params, body: { answer, ...body } }) => {
    const publication = { ...body, number: Number(params.number) }
    await requireActionConfirmation(deps, { visit, staff, act: publicationActionName('ask', publication), answer })
    const { id, lapses_at } = await requestPublishApproval(deps, staff, publication)
    return { id, lapses: lapses_at.toISOString() }
  }),
  deskRoute(cancelVersion, adminOnly, async ({ staff, params, body }) => {
    const versionNumber = Number(params.number)
    requireFound(await findVersion(deps.db, versionNumber))
    if (!(await cancelScheduledCatalogue(deps, versionNumber, toStaffActor(staff, formatStoredReason(body)))))
      throw conflict(catalogueMessages.notScheduled)
    return {}
  }),
]

function requireFound<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw notFound()
  return thing
}
