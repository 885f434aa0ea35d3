import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { minuteOf, spanWords } from '#desk/features/staff/web/span-words.ts'
import { type Approval, seeApproval, withdrawApproval } from '../approvals.contract.ts'
import { isGrant, wordsOf } from './approval-words.tsx'

export function OwnApproval({ approval, onSeen }: { approval: Approval; onSeen: () => void }) {
  const api = useApi()
  const { id, state, words } = approval
  const { zone } = useBootstrap().market
  const { what, link } = wordsOf(approval, zone)
  const seen = useMutation({ mutationFn: () => api.call(seeApproval, { params: { id } }), onSuccess: onSeen })
  const withdraw = useMutation({
    mutationFn: () => inWords(api.call(withdrawApproval, { params: { id } })),
    onSuccess: onSeen,
  })
  return (
    <Banner kind={state === 'approved' ? 'good' : state === 'open' ? 'info' : 'warn'}>
      <p>
        {isGrant(approval) ? grantSentence(approval, what, zone) : sentenceOf(approval, what)}{' '}
        <Link href={link.path}>{link.text}</Link>
      </p>
      {words && <p>“{words}”</p>}
      <Failure error={withdraw.error} />
      {state !== 'open' && (
        <DenseButton kind="word" small onClick={() => void seen.mutate()}>
          Got it
        </DenseButton>
      )}
      {state === 'open' && isGrant(approval) && (
        <DenseButton kind="word" small label={`Cancel the request for ${what}`} onClick={() => void withdraw.mutate()}>
          Cancel
        </DenseButton>
      )}
    </Banner>
  )
}

const waitingWords = (until: string, zone: string): string =>
  `Waiting for approval: it takes effect on ${minuteOf(until, zone)} unless a lead or another admin declines it.`

function grantSentence({ state, decided_by: who, lapses }: Approval, what: string, zone: string): string {
  switch (state) {
    case 'open':
      return `You requested ${what}. ${waitingWords(lapses, zone)}`
    case 'approved':
      return who ? `${who} approved ${what}.` : `Nobody declined ${what} within 24 hours, so it took effect.`
    case 'refused':
      return `${who} declined ${what}.`
    case 'lapsed':
      return `Your request for ${what} ended without taking effect.`
  }
}

function sentenceOf({ state, decided_by: who, left_seconds }: Approval, what: string): string {
  switch (state) {
    case 'open':
      return `You requested ${what}. The request expires in ${spanWords(left_seconds)}.`
    case 'approved':
      return `${who} approved ${what}.`
    case 'refused':
      return `${who} declined ${what}.`
    case 'lapsed':
      return `Your request for ${what} expired before anyone decided.`
  }
}
