import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { spanWords } from '#desk/features/staff/web/span-words.ts'
import { type Approval, seeApproval } from '../approvals.contract.ts'
import { wordsOf } from './approval-words.tsx'

/** What came of something that this person asked for; until they have read it. */
export function OwnApproval({ approval, onSeen }: { approval: Approval; onSeen: () => void }) {
  const api = useApi()
  const { id, state, words } = approval
  const { what, link } = wordsOf(approval, useBootstrap().market.zone)
  const seen = useMutation({ mutationFn: () => api.call(seeApproval, { params: { id } }), onSuccess: onSeen })
  return (
    <Banner kind={state === 'approved' ? 'good' : state === 'open' ? 'info' : 'warn'}>
      <p>
        {sentenceOf(approval, what)} <Link href={link.path}>{link.text}</Link>
      </p>
      {words && <p>“{words}”</p>}
      {state !== 'open' && (
        <DenseButton kind="word" small onClick={() => void seen.mutate()}>
          Got it
        </DenseButton>
      )}
    </Banner>
  )
}

function sentenceOf({ state, decided_by: who, left_seconds }: Approval, what: string): string {
  switch (state) {
    case 'open':
      return `You have asked for ${what}; it lapses in ${spanWords(left_seconds)}.`
    case 'approved':
      return `${who} has approved ${what}.`
    case 'refused':
      return `${who} has said no to ${what}.`
    case 'lapsed':
      return `Nobody has decided about ${what} in time.`
  }
}
