import { formatNational } from '#kit/contract/phone.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { portServiceMessages } from '../port-service.contract.ts'
import * as s from './port.module.css'

/** A service that has had its transfer: there is no other. */
export const HasMoved = ({ msisdn }: { msisdn: string }) => (
  <div className={s.why}>
    <Banner kind="good" title={portServiceMessages.done}>
      <b className={s.whole}>{formatNational(msisdn)}</b> is its Phone Number now.
    </Banner>
  </div>
)
