import { useState } from 'react'
import { toFormErrors, getErrorEntryMessage } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { type Activation, restartActivation } from '../activation.contract.ts'
import { activationQuery, setActivation } from './activation.queries.ts'

export default function ErrorPage() {
  const api = useApi()
  const client = useQueryClient()
  const { data, isError } = useQuery({ ...activationQuery(api), retryOnMount: false })
  // Keep showing the failed activation after “Try Again” until the next page opens.
  const [failedActivation, setFailedActivation] = useState(data)
  if (!failedActivation && data) setFailedActivation(data)
  const restartMutation = useMutation({
    mutationFn: () => api.call(restartActivation, { body: {} }),
    onSuccess: ({ data }) => setActivation(client, data),
  })
  if (!failedActivation) return isError ? <ErrorScreen onRetry={() => location.reload()} /> : <LoadingScreen />
  return (
    <ErrorScreen onRetry={() => restartMutation.mutate()} busy={restartMutation.isPending || restartMutation.isSuccess}>
      <p>{describeConsequence(failedActivation)}</p>
      {failedActivation.order_code && <p>Order code {failedActivation.order_code}</p>}
      <div role="alert">
        {restartMutation.isError && (
          <Banner kind="bad">{toFormErrors(restartMutation.error).__all__?.map(getErrorEntryMessage).join(' ')}</Banner>
        )}
      </div>
    </ErrorScreen>
  )
}

function describeConsequence({ state, using_voucher }: Activation): string {
  if (state === 'PERMANENTLY_FAILED') {
    const voucher = using_voucher ? ' Your voucher has not been used.' : ''
    return `You have not been charged, and nothing was activated.${voucher} Press Try Again to start over.`
  }
  return `The network could not activate your SIM just now. ${
    using_voucher
      ? 'Your voucher is reserved for this SIM. Pressing Try Again will not use it twice.'
      : 'The money is on hold on your card and has not been taken. Pressing Try Again will not charge you twice.'
  }`
}
