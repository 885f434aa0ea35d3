import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { favourableSinceApproval } from '#features/plans/server/catalogue-alone.ts'
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
  better: string[]
  isStale: boolean
}

/** As many as can be read at a glance: the draft's page has all. */
const mostWords = 12

/** Nothing is left out unsaid: what one more line hides, somebody would approve unseen. */
const atAGlance = (sentences: string[]): string[] =>
  sentences.length <= mostWords
    ? sentences
    : [...sentences.slice(0, mostWords), `And ${sentences.length - mostWords} more on the draft’s page`]

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
  return transact(db, async (trx) => {
    const known = await readKnown(trx)
    const told: [string, AskedCatalogue][] = []
    for (const approval of approvals)
      told.push([approval.id, await describe(trx, approval, byNumber.get(approval.payload.draft), known)])
    return told
  })
}

async function describe(
  trx: Trx,
  { payload }: AskedApproval<'catalogue'>,
  draft: MadeDraft | undefined,
  known: Catalogue[],
): Promise<AskedCatalogue> {
  const isOpen = draft?.hash === payload.hash && draft.published_as === null
  const [present] = known
  return {
    kind: 'catalogue',
    path: pathOf(draft),
    from: payload.at,
    changes: isOpen && present ? changesOf(present, draft.content).length : 0,
    worse: isOpen ? atAGlance(worseThan(known, draft.content)) : [],
    better: isOpen ? atAGlance(await favourableSinceApproval(trx, draft.content)) : [],
    isStale: !isOpen,
  }
}

function pathOf(draft: MadeDraft | undefined): string {
  if (!draft) return '/catalogue/'
  const { number, published_as: version } = draft
  return version === null ? `/catalogue/drafts/${number}/` : `/catalogue/versions/${version}/`
}
