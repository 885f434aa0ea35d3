import { Suspense } from 'react'
import type { Service } from '#features/services/services.contract.ts'
import { later } from './later.ts'
import { isFailureUnread } from './transfer-words.ts'

// Few have a number on its way.
const PortNews = later('portNews')

/** How a number transfer of this service goes on: under way, just through, or failed until the customer has read it. */
export const PortingBanner = ({ service }: { service: Service }) => (
  <div role="status">
    {(service.porting_request?.progress || isFailureUnread(service)) && (
      <Suspense>
        <PortNews service={service} />
      </Suspense>
    )}
  </div>
)
