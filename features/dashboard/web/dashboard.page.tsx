import type { PageProps } from '#kit/web/page.ts'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { NoServices } from './NoServices.tsx'
import { ServiceNav } from './ServiceNav.tsx'
import { ServiceView } from './ServiceView.tsx'
import { useServices } from './use-services.ts'
import { useTablet } from './use-tablet.ts'
import s from './dashboard.module.css'

/**
 * The list of services beside one of them; a phone shows the one or the other. Without a uuid the first service is open
 * where there is room, at the same address: so BACK leaves the dashboard, and nothing moves once the width is known.
 */
export default function DashboardPage({ params: { uuid } }: PageProps) {
  const { data, isPending, refetch } = useServices()
  const tablet = useTablet()
  if (!data) return isPending ? <Skeleton lines={8} /> : <ErrorScreen onRetry={() => void refetch()}>Your services can’t be loaded right now.</ErrorScreen>

  const services = Object.values(data)
  const open = uuid === undefined ? services[0] : services.find((service) => service.uuid === uuid)
  if (!open) return uuid === undefined ? <NoServices /> : <NotFoundScreen />
  const isList = uuid === undefined
  return (
    <div className={s.dashboard}>
      {(tablet !== false || isList) && (
        <div className={isList ? '' : s.onTablet}>
          <ServiceNav services={services} open={tablet === false ? null : open.uuid} heading={isList ? 'h1' : 'h2'} />
        </div>
      )}
      {(tablet !== false || !isList) && (
        <div className={isList ? s.onTablet : ''}>
          <ServiceView key={open.uuid} service={open} heading={isList ? 'h2' : 'h1'} />
        </div>
      )}
    </div>
  )
}
