import { useApi } from '#kit/web/api.tsx'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { DangerText } from '#kit/web/widgets/DangerText.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { updateCachedService } from '#features/services/web/services.queries.ts'
import { cancelNextPlan, type CancelTerms, readCancelTerms } from '../next-plan.contract.ts'
import * as s from './next-plan.module.css'

type Props = { uuid: string; onCancelled: () => void; onClose: () => void }

export default function CancelNextPlan({ open, ...props }: Props & { open: boolean }) {
  return (
    <Dialog title="Cancel your next plan?" open={open} onClose={props.onClose}>
      <CancelTermsView {...props} />
    </Dialog>
  )
}

function CancelTermsView(props: Props) {
  const api = useApi()
  const { data, error, refetch } = useQuery(
    queryOptions({
      queryKey: ['next-plan', props.uuid],
      queryFn: async () => (await api.call(readCancelTerms, { params: { uuid: props.uuid } })).data,
      staleTime: 0,
    }),
  )
  if (!data)
    return error ? (
      <Unavailable what="Your next plan can’t be loaded right now." error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={5} />
    )
  return (
    <>
      {data.lines.map((line) => (
        <p key={line} className={s.line}>
          {line.split('**').map((part, partIndex) => (partIndex % 2 === 1 ? <strong key={part}>{part}</strong> : part))}
        </p>
      ))}
      <CancelActions button={data.button} {...props} />
    </>
  )
}

function CancelActions({ button, uuid, onCancelled, onClose }: Props & Pick<CancelTerms, 'button'>) {
  const api = useApi()
  const client = useQueryClient()
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: () => api.call(cancelNextPlan, { params: { uuid } }),
    onSuccess({ data }) {
      updateCachedService(client, uuid, data)
      onCancelled()
    },
  })
  return (
    <>
      <div role="alert" className={s.failure}>
        {isError && <FailureBanner error={error} />}
      </div>
      <div className={s.acts}>
        {button && (
          <DangerText>
            <BusyButton wide busy={isPending} busyText="Cancelling your next plan" onClick={() => void mutate()}>
              {button}
            </BusyButton>
          </DangerText>
        )}
        <Button kind={button ? 'plain' : 'quiet'} wide onClick={onClose}>
          Keep next plan
        </Button>
      </div>
    </>
  )
}
