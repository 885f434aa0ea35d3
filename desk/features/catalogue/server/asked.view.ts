import { type Db, transact } from '#kit/server/db.ts'
import { changesOf } from '#features/plans/server/catalogue-changes.ts'
import { readKnown } from '#features/plans/server/catalogue.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { worseThan } from '#features/plans/server/catalogue-worse.ts'
import type { AskedApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { findDrafts, type MadeDraft } from './drafts.store.ts'

/** What whoever decides has to know of a catalogue. */
export type AskedCatalogue = {
  kind: 'catalogue'
  path: string
  from: string | null
  changes: number
  worse: string[]
  isStale: boolean
}

/** As many as can be read at a glance: the draft's page has all. */
const mostWords = 12

/** What approvals of catalogues are about, by the approval. */
export async function describeCatalogues(
  db: Db,
  approvals: AskedApproval<'catalogue'>[],
): Promise<[string, AskedCatalogue][]> {
  if (approvals.length === 0) return []
  const drafts = await findDrafts(
    db,
    approvals.map(({ payload }) => payload.draft),
  )
  const byNumber = new Map(drafts.map((draft) => [draft.number, draft]))
  const known = await transact(db, readKnown)
  return approvals.map((approval) => [approval.id, describe(approval, byNumber.get(approval.payload.draft), known)])
}

function describe(
  { payload }: AskedApproval<'catalogue'>,
  draft: MadeDraft | undefined,
  known: Catalogue[],
): AskedCatalogue {
  const isOpen = draft?.hash === payload.hash && draft.published_as === null
  const [present] = known
  return {
    kind: 'catalogue',
    path: pathOf(draft),
    from: payload.at,
    changes: isOpen && present ? changesOf(present, draft.content).length : 0,
    worse: isOpen ? worseThan(known, draft.content).slice(0, mostWords) : [],
    isStale: !isOpen,
  }
}

function pathOf(draft: MadeDraft | undefined): string {
  if (!draft) return '/catalogue/'
  const { number, published_as: version } = draft
  return version === null ? `/catalogue/drafts/${number}/` : `/catalogue/versions/${version}/`
}
