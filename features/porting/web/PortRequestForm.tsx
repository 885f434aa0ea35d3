import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { type LastPort, portService } from '../port-service.contract.ts'
import { portingFormSchemas } from '../porting.contract.ts'
import { DemoNetworkNote } from './DemoNetworkNote.tsx'
import { SingleFieldCorrection } from './SingleFieldCorrection.tsx'
import { donorsQuery, markTransferRequested } from './porting.queries.ts'
import { PortingForm, initialPortingValues, toPortingBody } from './PortingForm.tsx'
import { formatStartTime } from './transfer-times.ts'
import { getRejectedField, useRejectedField } from './use-rejected-field.ts'
import * as s from './port.module.css'

const fieldNames = ['msisdn', 'provider', 'billing_method', 'prepaid_sim_number', 'account_number'] as const

type Props = { uuid: string; home: string; last: LastPort | null; failed: PortingRequestView | null }

export function PortRequestForm({ uuid, home, last, failed }: Props) {
  const [isFullFormOpen, setFullFormOpen] = useState(false)
  const { data, isError, refetch } = useQuery(donorsQuery(useApi()))
  const initial = initialPortingValues(last)
  const form = usePortRequestForm({ uuid, home, initial })
  const rejectedField = getRejectedField(failed?.reason)
  useRejectedField(form, { last, failed, donors: data?.providers })
  /*
   * The short form shows only the rejected field, so use the full form if any other field has an error or differs from the details sent
   * last time.
   */
  const isSingleField =
    rejectedField !== undefined &&
    last !== null &&
    !isFullFormOpen &&
    // Errors in fields that the form does not show appear in `__all__`.
    !form.errors['__all__'] &&
    fieldNames.every((name) => name === rejectedField || (form.values[name] === initial[name] && !form.errors[name]))
  const hint =
    !data &&
    (isError ? (
      <UnavailableLine
        what="Our list of providers didn’t load."
        control={form.field('provider').id}
        onRetry={() => void refetch()}
      />
    ) : (
      'Loading the providers…'
    ))
  return (
    <>
      <ProcessingStart from={data?.looked_at_from ?? null} />
      {isSingleField && failed ? (
        <SingleFieldCorrection
          form={form}
          donor={failed.donor}
          sentAt={failed.requested_at}
          back={home}
          onEdit={() => setFullFormOpen(true)}
        />
      ) : (
        <PortingForm
          form={form}
          donors={data?.providers ?? []}
          donorsHint={hint}
          submitText="Port Number"
          back={home}
          backText="Cancel"
        />
      )}
    </>
  )
}

function usePortRequestForm({
  uuid,
  home,
  initial,
}: {
  uuid: string
  home: string
  initial: ReturnType<typeof initialPortingValues>
}) {
  const api = useApi()
  const { market } = useBootstrap()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useForm({
    schema: portingFormSchemas[market.phoneRegion],
    initial,
    draftKey: `port-${uuid}`,
    submit: (values) => api.call(portService, { params: { uuid }, body: toPortingBody(values) }),
    onSuccess() {
      markTransferRequested(client, uuid)
      navigate(`${home}port/success/`)
    },
  })
}

function ProcessingStart({ from }: { from: string | null }) {
  const { market, serverTime } = useBootstrap()
  if (!from) return null
  return (
    <div className={s.why}>
      <Banner kind="info" icon="clock" title="Providers are closed now">
        <p>
          You can send your request now, and they’ll look at it from{' '}
          {formatStartTime(from, { zone: market.zone, now: serverTime })}. Your number stays with your current provider
          until then.
        </p>
        <DemoNetworkNote />
      </Banner>
    </div>
  )
}
