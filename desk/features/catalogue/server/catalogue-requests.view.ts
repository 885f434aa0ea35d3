import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { listFavourableChanges, readApprovedBaseline } from '#features/plans/server/catalogue-approval.ts'
import { diffCatalogues } from '#features/plans/server/catalogue-changes.ts'
import { readKnownCatalogues } from '#features/plans/server/catalogue.ts'
import { listUnfavourableChanges } from '#features/plans/server/unfavourable-changes.ts'
import type { ApprovalRequest } from '#desk/features/approvals/server/approvals.store.ts'
import { type DraftState, findDraft, findDraftStates } from './drafts.store.ts'

export type RequestedCatalogue = {
  kind: 'catalogue'
  path: string
  from: string | null
  changes: number
  worse: string[]
  better: string[]
  isStale: boolean
}

const maxListedChanges = 12

/**
 * Shortens a list of changes. The last line says how many more there are, so that nobody approves changes without
 * knowing that they exist.
 */
const truncateChangeList = (sentences: string[]): string[] =>
  sentences.length <= maxListedChanges
    ? sentences
    : [...sentences.slice(0, maxListedChanges), `And ${sentences.length - maxListedChanges} more: see the draft’s page`]

export async function describeCatalogues(
  db: Db,
  approvals: ApprovalRequest<'catalogue'>[],
): Promise<[string, RequestedCatalogue][]> {
  if (approvals.length === 0) return []
  return transact(db, async (trx) => {
    const draftNumbers = approvals.map(({ payload }) => payload.draft)
    const draftStates = new Map((await findDraftStates(trx, draftNumbers)).map((state) => [state.number, state]))
    const requestedDraftKeys = new Set(approvals.map(({ payload }) => keyOf(payload.draft, payload.hash)))
    const open = [...draftStates.values()].filter(
      ({ number, hash, published_as: version }) => version === null && requestedDraftKeys.has(keyOf(number, hash)),
    )
    const comparisons = await compareDrafts(trx, open)
    return approvals.map(({ id, payload }) => {
      const comparison = comparisons.get(keyOf(payload.draft, payload.hash))
      const { changes, worse, better } = comparison ?? { changes: 0, worse: [], better: [] }
      const path = getDraftPath(draftStates.get(payload.draft))
      return [
        id,
        { kind: 'catalogue', path, from: payload.at, changes, worse, better, isStale: comparison === undefined },
      ]
    })
  })
}

const keyOf = (draft: number, hash: string): string => `${draft} ${hash}`

type Comparison = Pick<RequestedCatalogue, 'changes' | 'worse' | 'better'>

async function compareDrafts(trx: Trx, open: readonly DraftState[]): Promise<Map<string, Comparison>> {
  const comparisons = new Map<string, Comparison>()
  if (open.length === 0) return comparisons
  const known = await readKnownCatalogues(trx)
  const baseline = await readApprovedBaseline(trx)
  for (const { number } of open) {
    const draft = await findDraft(trx, number)
    if (!draft || draft.published_as !== null) continue
    comparisons.set(keyOf(number, draft.hash), {
      changes: diffCatalogues(baseline.onSale, draft.content).length,
      worse: truncateChangeList(listUnfavourableChanges(known, draft.content)),
      better: truncateChangeList(await listFavourableChanges(trx, draft.content, baseline)),
    })
    // Comparing two large catalogues takes tens of milliseconds, so other requests are handled between comparisons.
    await nextTurn()
  }
  return comparisons
}

function getDraftPath(draft: DraftState | undefined): string {
  if (!draft) return '/catalogue/'
  const { number, published_as: version } = draft
  return version === null ? `/catalogue/drafts/${number}/` : `/catalogue/versions/${version}/`
}
