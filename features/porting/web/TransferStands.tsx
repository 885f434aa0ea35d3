import { formatNational } from '#kit/contract/phone.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { portServiceMessages } from '../port-service.contract.ts'
import type { PortingStatus } from '../porting.states.ts'
import s from './port.module.css'

/** In place of the form: a service has one transfer at a time, and one that went through was its last. */
export function TransferStands({ status, msisdn, home }: { status: PortingStatus; msisdn: string; home: string }) {
  const number = <b>{formatNational(msisdn)}</b>
  return (
    <div className={s.stands}>
      {status === 'COMPLETED' ? (
        <Banner kind="good" title={portServiceMessages.done}>
          {number} has moved to this service.
        </Banner>
      ) : (
        <Banner kind="info" title={portServiceMessages.underWay}>
          We’re moving {number}. This normally takes about 4 hours in business hours, and we’ll email you when it’s
          done.
        </Banner>
      )}
      <Button kind="quiet" href={home}>
        Back to your service
      </Button>
    </div>
  )
}
