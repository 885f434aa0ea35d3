import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import { useAutoRenewal } from './use-auto-renewal.ts'
import s from './auto-renewal.module.css'

/** The button that lets a plan renew by itself; below it why that could not be, with the way to mend it. */
export function EnableAutoRenewal({
  schedule,
  onTry,
  onEnabled,
}: {
  schedule: Schedule
  onTry: () => void
  onEnabled: () => void
}) {
  const enable = useAutoRenewal('enable', schedule, onEnabled)
  const { isPending, isError, error } = enable
  const press = () => {
    onTry()
    void enable.mutate()
  }
  return (
    <>
      <BusyButton kind="quiet" busy={isPending} busyText="ENABLING AUTO-RENEWAL" onClick={press}>
        ENABLE AUTO-RENEWAL
      </BusyButton>
      <div role="alert" className={s.failure}>
        {isError && <FailureBanner error={error} />}
      </div>
    </>
  )
}
