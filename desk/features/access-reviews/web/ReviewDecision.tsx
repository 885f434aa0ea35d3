import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { type ReviewedAccess, reviewMessages, decideReview } from '../access-reviews.contract.ts'
import { decisionLabel } from './access-review.labels.ts'
import * as s from './access-reviews.module.css'

type Props = { look: ReviewedAccess; onDecided: () => void }

export function ReviewDecision({ look, onDecided }: Props) {
  const { id, who, decision, is_own: isOwn } = look
  const api = useApi()
  const submitReview = (newDecision: 'in_order' | 'asked') =>
    // `finally` reloads the list even after a failure, to show a decision that someone else has made first.
    withFormErrors(api.call(decideReview, { params: { id }, body: { decision: newDecision } })).finally(onDecided)
  const approveMutation = useMutation({ mutationFn: () => submitReview('in_order') })
  const followUpMutation = useMutation({ mutationFn: () => submitReview('asked') })
  if (decision) return <span>{decisionLabel(look)}</span>
  if (isOwn) return <span className="muted">{reviewMessages.own}</span>
  const isBusy = approveMutation.isPending || followUpMutation.isPending
  return (
    <div>
      <span className={s.acts}>
        <DenseButton
          small
          label={`Mark as OK: customer viewed by ${who}`}
          aria-busy={approveMutation.isPending || undefined}
          onClick={() => isBusy || void approveMutation.mutate()}
        >
          Mark as OK
        </DenseButton>
        <DenseButton
          small
          label={`Ask about it: customer viewed by ${who}`}
          aria-busy={followUpMutation.isPending || undefined}
          onClick={() => isBusy || void followUpMutation.mutate()}
        >
          Ask about it
        </DenseButton>
      </span>
      <ErrorBanner error={approveMutation.error ?? followUpMutation.error} />
    </div>
  )
}
