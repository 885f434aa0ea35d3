import { useState } from 'react'
import type { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import type { SendApiRequest } from '#kit/web/desk/send-api-request.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { readCaller, callerMessages } from '../caller-verification.contract.ts'
import { PinForm } from './PinForm.tsx'
import { PinDestinationForm } from './PinDestinationForm.tsx'
import type { Api } from '#kit/contract/endpoint.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'

type Props = { id: string; call: SendApiRequest; onVerified: () => Promise<void> }

export function CallerCheck({ id, call, onVerified }: Props) {
  const api = useApi()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(callerQuery(api, id))
  const [isResending, setResending] = useState(false)
  const [expiredMessage, setExpiredMessage] = useState<string | null>(null)
  if (error && !data)
    return (
      <Unavailable
        what="We couldn’t load the options for sending a PIN."
        error={error}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton lines={4} />
  const { asked, ways } = data

  async function onPinTriesExceeded(failure: ApiError): Promise<void> {
    const [sentence = callerMessages.none] = (failure.body as { __all__?: string[] }).__all__ ?? []
    await client.refetchQuery(callerQuery(api, id))
    setExpiredMessage(sentence)
  }
  async function onSent(): Promise<void> {
    await client.refetchQuery(callerQuery(api, id))
    setExpiredMessage(null)
    setResending(false)
  }
  return (
    <>
      {expiredMessage && (
        <div role="alert">
          <Banner kind="bad">{expiredMessage}</Banner>
        </div>
      )}
      {asked && !isResending ? (
        <PinForm
          {...{ id, asked, call, onPinUnusable: onPinTriesExceeded }}
          key={asked.until}
          onVerified={onVerified}
          onSendAnother={() => setResending(true)}
        />
      ) : (
        <PinDestinationForm {...{ id, ways, call, onSent }} />
      )}
    </>
  )
}

const callerQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['caller', id],
    queryFn: async () => (await api.call(readCaller, { params: { id } })).data,
  })
