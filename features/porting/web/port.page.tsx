import { formatNational } from '#kit/contract/phone.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { useServices } from '#features/services/web/use-services.ts'
import { billingMethods } from '../porting.contract.ts'
import { portingStatusCodes } from '../porting.states.ts'
import { TransferFailure } from './TransferFailure.tsx'
import { lastPortQuery } from './porting.queries.ts'
import { PortRequestForm } from './PortRequestForm.tsx'
import { OpenTransfer } from './OpenTransfer.tsx'
import * as s from './port.module.css'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { portServiceMessages } from '../port-service.contract.ts'

/**
 * The page on which a customer requests the transfer of another provider's number to an existing service (spec 2.6),
 * and follows its progress.
 */
export default function PortPage({ params }: PageProps) {
  const api = useApi()
  const uuid = params['uuid'] ?? ''
  const { data: services, isPending } = useServices()
  const lastPort = useQuery({ ...lastPortQuery(api, uuid), retryOnMount: false })
  const service = services?.[uuid]
  if (services && !service) return <NotFoundScreen />

  const servicePath = `/services/${uuid}/`
  const port = service?.porting_request
  const failedPort = port?.status === portingStatusCodes.FAILED ? port : null
  return (
    <>
      <Breadcrumb href={servicePath} text={service?.phone_number ?? 'Back to your service'} />
      <PortPageTitle port={port ?? null} />
      {failedPort && service && <TransferFailure port={failedPort} own={service.phone_number} />}
      {port && !failedPort ? (
        <TransferStatus uuid={uuid} port={port} own={service.phone_number} />
      ) : isPending || lastPort.isPending ? (
        <Columns>
          <Card>
            <Skeleton lines={9} />
          </Card>
        </Columns>
      ) : (
        <PortRequestForm
          // The form's initial values are the details sent last time, so remount the form when these details change.
          key={JSON.stringify(lastPort.data)}
          uuid={uuid}
          home={servicePath}
          last={lastPort.data ?? null}
          failed={failedPort}
        />
      )}
    </>
  )
}

const pageTitle = 'Request Number Transfer'

function PortPageTitle({ port }: { port: PortingRequestView | null }) {
  const { brand } = useBootstrap()
  const number = port && <span className={s.whole}>{formatNational(port.msisdn)}</span>
  if (port?.status === portingStatusCodes.FAILED)
    return (
      <PageTitle
        key="failed"
        lead={
          <>
            {number} <span>didn’t move</span>
          </>
        }
      >
        {pageTitle}
      </PageTitle>
    )
  if (!port?.progress)
    return (
      <PageTitle
        key="new"
        lead={
          !port && 'Tell us which number you’re bringing. You can keep using it until it moves, and there’s no charge.'
        }
      >
        {pageTitle}
      </PageTitle>
    )
  return (
    <PageTitle
      key="open"
      lead={`From ${port.donor}, ${port.billing_method === billingMethods.prepay ? 'prepay' : 'account'}`}
    >
      {port.progress.step === 'moved' ? (
        <span key="moved">
          {number} <span>has moved to {brand.shortName}</span>
        </span>
      ) : (
        <span key="moving">
          <span>Bringing</span> {number} <span>to {brand.shortName}</span>
        </span>
      )}
    </PageTitle>
  )
}

function TransferStatus({ uuid, port, own }: { uuid: string; port: PortingRequestView; own: string }) {
  const { progress } = port
  return (
    <>
      {port.status === portingStatusCodes.COMPLETED && <TransferCompleted msisdn={port.msisdn} />}
      {progress && <OpenTransfer uuid={uuid} port={port} progress={progress} own={own} />}
    </>
  )
}

const TransferCompleted = ({ msisdn }: { msisdn: string }) => (
  <div className={s.why}>
    <Banner kind="good" title={portServiceMessages.done}>
      Its Phone Number is now <b className={s.whole}>{formatNational(msisdn)}</b>.
    </Banner>
  </div>
)
