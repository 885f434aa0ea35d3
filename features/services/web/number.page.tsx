import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { getCalendarFilePath } from '../own-number.contract.ts'
import { CopyNumberButton } from './CopyNumberButton.tsx'
import { NameForm } from './NameForm.tsx'
import { Puk } from './Puk.tsx'
import { servicesQuery, servicesUnavailableMessage } from './services.queries.ts'
import * as s from './number.module.css'

export default function NumberPage({ params: { uuid = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(servicesQuery(useApi()))
  const service = data?.[uuid]
  if (data && !service) return <NotFoundScreen />
  return (
    <>
      <Breadcrumb href={`/services/${uuid}/`} text={service?.phone_number ?? 'Back to your service'} />
      <PageTitle>Phone Number</PageTitle>
      <Columns>
        {service ? (
          <div className={s.cards}>
            <Card>
              <div className={s.number}>
                <b>{service.phone_number}</b>
                <CopyNumberButton number={service.phone_number} />
              </div>
              <NameForm key={service.uuid} service={service} />
            </Card>
            {!service.is_expired && (
              <Card>
                <h2>In your calendar</h2>
                <p className={s.text}>Add your plan’s last day, with a reminder the day before.</p>
                {/* A file rather than a page of the portal, so the browser loads it directly. */}
                <a href={getCalendarFilePath(uuid)} download>
                  Add to calendar
                </a>
              </Card>
            )}
            <Card>
              <h2>PUK</h2>
              <p className={s.text}>Use the PUK to unlock your SIM after too many wrong PINs.</p>
              <Puk uuid={uuid} />
            </Card>
          </div>
        ) : error ? (
          <Unavailable what={servicesUnavailableMessage} error={error} onRetry={() => void refetch()} />
        ) : (
          <Card>
            <Skeleton lines={8} />
          </Card>
        )}
      </Columns>
    </>
  )
}
