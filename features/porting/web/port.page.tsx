import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { type LastPort, portService } from '../port-service.contract.ts'
import { portingFormSchemas } from '../porting.contract.ts'
import { portingStatus, statusNamed } from '../porting.states.ts'
import { DidNotMove } from './DidNotMove.tsx'
import { donorsQuery, lastPortQuery, noteTransfer } from './porting.queries.ts'
import { PortingForm, portingAnswers, portingBody } from './PortingForm.tsx'
import { TransferStands } from './TransferStands.tsx'
import { useMarkedField } from './use-marked-field.ts'

/** Brings another provider's number to a service that is there already (spec 2.6). */
export default function PortPage({ params }: PageProps) {
  const api = useApi()
  const uuid = params['uuid'] ?? ''
  const { data: services, isPending } = useQuery(servicesQuery(api))
  const last = useQuery({ ...lastPortQuery(api, uuid), retryOnMount: false })
  const service = services?.[uuid]
  if (services && !service) return <NotFoundScreen />

  const home = `/services/${uuid}/`
  const port = service?.porting_request
  const failed = port?.status === portingStatus.FAILED ? port : null
  const stands = port && !failed && (
    <TransferStands status={statusNamed(port.status)} msisdn={port.msisdn} home={home} />
  )
  return (
    <>
      <Breadcrumb href={home} text={service?.phone_number ?? 'Back to your service'} />
      <PageTitle
        lead={
          !stands &&
          !failed &&
          'Tell us which number you’re bringing. You can keep using it until it moves, and we charge nothing for it.'
        }
      >
        Request Number Transfer
      </PageTitle>
      {failed && service && <DidNotMove port={failed} own={service.phone_number} />}
      {stands ||
        (isPending || last.isPending ? (
          <Columns>
            <Card>
              <Skeleton lines={9} />
            </Card>
          </Columns>
        ) : (
          <Request
            // What was sent is the form's beginning: should it come later, or be another, so is the form.
            key={JSON.stringify(last.data)}
            uuid={uuid}
            home={home}
            last={last.data ?? null}
            failed={failed}
          />
        ))}
    </>
  )
}

type RequestProps = { uuid: string; home: string; last: LastPort | null; failed: PortingRequestView | null }

function Request({ uuid, home, last, failed }: RequestProps) {
  const api = useApi()
  const { market } = useBootstrap()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: donors, isError, refetch } = useQuery(donorsQuery(api))
  const form = useForm({
    schema: portingFormSchemas[market.phoneRegion],
    initial: portingAnswers(last),
    draftKey: `port-${uuid}`,
    submit: (values) => api.call(portService, { params: { uuid }, body: portingBody(values) }),
    onSuccess() {
      noteTransfer(client, uuid)
      navigate(`${home}port/success/`)
    },
  })
  useMarkedField(form, { last, failed, donors })
  const hint =
    !donors &&
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
    <PortingForm
      form={form}
      donors={donors ?? []}
      donorsHint={hint}
      submitText="Port Number"
      back={home}
      backText="Cancel"
    />
  )
}
