import { lazy, Suspense } from 'react'
import type { Service } from '#features/services/services.contract.ts'
import { isFailureUnread, isPorting } from './use-services.ts'

// Few have a number on its way.
const PortNews = lazy(() => import('./PortNews.tsx'))

/** How a number transfer of this service goes on: under way, or failed until the customer has read it. */
export const PortingBanner = ({ service }: { service: Service }) => (
  <div role="status">
    {(isPorting(service) || isFailureUnread(service)) && (
      <Suspense>
        <PortNews service={service} />
      </Suspense>
    )}
  </div>
)
