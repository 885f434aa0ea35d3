import { formatMoment } from '#kit/contract/format-moment.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { cancelErasure, type ErasureView } from '../privacy.contract.ts'
import { updateCachedErasure } from './privacy.queries.ts'
import * as s from './privacy.module.css'

export function PendingErasure({ waiting }: { waiting: NonNullable<ErasureView['waiting']> }) {
  const api = useApi()
  const client = useQueryClient()
  const { market, serverTime } = useBootstrap()
  const cancelMutation = useMutation({
    mutationFn: () => api.call(cancelErasure, {}),
    onSuccess: ({ data }) => updateCachedErasure(client, data),
  })
  const formattedDueTime = formatMoment(waiting.due, { zone: market.zone, now: serverTime })
  return (
    <Card className={`${s.card} ${s.waiting}`}>
      <h2 className={s.heading}>Your data will be deleted</h2>
      {waiting.is_put_off ? (
        <p key="put off">
          We couldn’t delete your data yet because something wasn’t finished. We’ll check again on{' '}
          <b>{formattedDueTime}</b>.
        </p>
      ) : (
        <p>
          We’ll delete it on <b>{formattedDueTime}</b>. Your numbers and plans end then. Auto-renewal is paused until
          then.
        </p>
      )}
      <div role="alert" className={s.failure}>
        {cancelMutation.isError && <FailureBanner error={cancelMutation.error} />}
      </div>
      <BusyButton busy={cancelMutation.isPending} busyText="One moment" onClick={() => void cancelMutation.mutate()}>
        Keep my account
      </BusyButton>
    </Card>
  )
}
