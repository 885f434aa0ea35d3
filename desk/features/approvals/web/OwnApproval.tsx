import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { formatDayAndTime, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import { type Approval, markApprovalSeen, withdrawApproval } from '../approvals.contract.ts'
import { isGrant, approvalLabels } from './approval.labels.tsx'

export function OwnApproval({ approval, onSeen }: { approval: Approval; onSeen: () => void }) {
  const api = useApi()
  const { id, state, words } = approval
  const { zone } = useBootstrap().market
  const { what, link } = approvalLabels(approval, zone)
  const markSeen = useMutation({ mutationFn: () => api.call(markApprovalSeen, { params: { id } }), onSuccess: onSeen })
  const withdrawMutation = useMutation({
    mutationFn: () => withFormErrors(api.call(withdrawApproval, { params: { id } })),
    onSuccess: onSeen,
  })
  return (
    <Banner kind={state === 'approved' ? 'good' : state === 'open' ? 'info' : 'warn'}>
      <p>
        {isGrant(approval) ? describeGrant(approval, what, zone) : describeRequest(approval, what)}{' '}
        <Link href={link.path}>{link.text}</Link>
      </p>
      {words && <p>“{words}”</p>}
      <ErrorBanner error={withdrawMutation.error} />
      {state !== 'open' && (
        <DenseButton kind="word" small onClick={() => void markSeen.mutate()}>
          Got it
        </DenseButton>
      )}
      {state === 'open' && isGrant(approval) && (
        <DenseButton
          kind="word"
          small
          label={`Cancel the request for ${what}`}
          onClick={() => void withdrawMutation.mutate()}
        >
          Cancel
        </DenseButton>
      )}
    </Banner>
  )
}

const waitingLabel = (until: string, zone: string): string =>
  `Waiting for approval: it takes effect on ${formatDayAndTime(until, zone)} unless a team lead or another admin declines it.`

function describeGrant({ state, decided_by: decider, lapses }: Approval, what: string, zone: string): string {
  switch (state) {
    case 'open':
      return `You requested ${what}. ${waitingLabel(lapses, zone)}`
    case 'approved':
      return decider ? `${decider} approved ${what}.` : `Nobody declined ${what} within 24 hours, so it took effect.`
    case 'refused':
      return `${decider} declined ${what}.`
    case 'lapsed':
      return `Your request for ${what} ended without taking effect.`
  }
}

function describeRequest({ state, decided_by: decider, left_seconds }: Approval, what: string): string {
  switch (state) {
    case 'open':
      return `You requested ${what}. The request expires in ${durationLabel(left_seconds)}.`
    case 'approved':
      return `${decider} approved ${what}.`
    case 'refused':
      return `${decider} declined ${what}.`
    case 'lapsed':
      return `Your request for ${what} expired before anyone decided.`
  }
}
