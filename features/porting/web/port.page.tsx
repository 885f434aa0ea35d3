import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { portService } from '../port-service.contract.ts'
import { portingFormSchema } from '../porting.contract.ts'
import { portingStatus, statusNamed } from '../porting.states.ts'
import { donorsQuery } from './porting.queries.ts'
import { PortingForm, portingAnswers, portingBody } from './PortingForm.tsx'
import { TransferStands } from './TransferStands.tsx'

/** Brings another provider's number to a service that is there already (spec 2.6). */
export default function PortPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const { data: services, isPending } = useQuery(servicesQuery(useApi()))
  const service = services?.[uuid]
  if (services && !service) return <NotFoundScreen />

  const home = `/services/${uuid}/`
  const port = service?.porting_request
  const stands = port && port.status !== portingStatus.FAILED && (
    <TransferStands status={statusNamed(port.status)} msisdn={port.msisdn} home={home} />
  )
  return (
    <>
      <Breadcrumb href={home} text={service?.phone_number ?? 'Back to your service'} />
      <PageTitle lead={!stands && 'Tell us which number you’re bringing. You can keep using it until it moves.'}>
        Request Number Transfer
      </PageTitle>
      {stands ||
        (isPending ? (
          <Columns>
            <Card>
              <Skeleton lines={9} />
            </Card>
          </Columns>
        ) : (
          <Request uuid={uuid} home={home} />
        ))}
    </>
  )
}

function Request({ uuid, home }: { uuid: string; home: string }) {
  const api = useApi()
  const navigate = useNavigate()
  const { data: donors, isError, refetch } = useQuery(donorsQuery(api))
  const form = useForm({
    schema: portingFormSchema,
    initial: portingAnswers(null),
    draftKey: `port-${uuid}`,
    submit: (values) => api.call(portService, { params: { uuid }, body: portingBody(values) }),
    onSuccess: () => navigate(`${home}port/success/`),
  })
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
