import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useMinutesLeft } from '#desk/features/caller-verification/web/CallerStatus.tsx'
import { useApi } from '#kit/web/api.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { useToast } from '#kit/web/widgets/Toast.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { Customer, CustomerPage as Shown } from '../customers.contract.ts'
import { ActionDrawer, type CustomerAction } from './ActionDrawer.tsx'
import { CallerDrawer } from './CallerDrawer.tsx'
import { Notes, Tasks, RecentAccess } from './SidePanels.tsx'
import { CustomerFacts } from './CustomerFacts.tsx'
import { CustomerHead } from './CustomerHead.tsx'
import { customerQuery } from './customers.queries.ts'
import { Numbers } from './Numbers.tsx'
import { useCustomer } from './use-customer.ts'
import { useFocusOnHeading } from './use-focus-on-heading.ts'
import { CustomerHistory } from './CustomerHistory.tsx'
import { AccessReasonForm } from './AccessReasonForm.tsx'
import * as s from './customer.module.css'
import type { RenewDrawer } from '#desk/features/renewals/web/RenewDrawer.tsx'

const Drawer = lazy(async () => ({
  default: (await import('#desk/features/renewals/web/RenewDrawer.tsx')).RenewDrawer,
}))

/** Loads the renewal drawer on first use, because most visits to this page do not involve a renewal. */
function LazyRenewDrawer(props: ComponentProps<typeof RenewDrawer>) {
  const [isLoaded, setLoaded] = useState(false)
  if (props.service && !isLoaded) setLoaded(true)
  return <Suspense>{isLoaded && <Drawer {...props} />}</Suspense>
}

const toastMs = 6_000

export default function CustomerPage({ params: { id = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(customerQuery(useApi(), id))
  const { refresh } = useCustomer(id)
  if (data === null) return <DeskNotFound>This customer doesn’t exist.</DeskNotFound>
  if (error && !data)
    return (
      <>
        <h1>Customer</h1>
        <Unavailable what="We couldn’t load this customer." error={error} onRetry={() => void refetch()} />
      </>
    )
  if (!data) return <Skeleton lines={8} />
  const { name, opened, customer } = data
  if (!opened || !customer) return <AccessReasonForm id={id} name={name} onOpened={refresh} />
  return <CustomerRecord {...{ id, name, opened, customer }} />
}

type Props = { id: string; name: string; opened: NonNullable<Shown['opened']>; customer: Customer }

function CustomerRecord({ id, name, opened, customer }: Props) {
  const [action, setAction] = useState<CustomerAction | null>(null)
  const [isWriting, setWriting] = useState(false)
  const [isVerifying, setVerifying] = useState(false)
  const [renewing, setRenewing] = useState<string | null>(null)
  const { refresh, call } = useCustomer(id)
  const { toast, show } = useToast()
  const { tasks, notes, looked, numbers, erased } = customer
  useFocusOnHeading()
  const canAddNote = notes !== null && !erased
  const callerMinutesLeft = useMinutesLeft(customer.caller_until)
  return (
    <div className={s.page}>
      <CustomerHead
        {...{ name, opened, customer, callerMinutes: callerMinutesLeft }}
        onAct={(act) => setAction({ act })}
        onNote={canAddNote ? () => setWriting(true) : null}
        onVerify={canAddNote ? () => setVerifying(true) : null}
      />
      <CustomerFacts id={id} customer={customer} />
      <div className={`${s.layout} ${tasks.length > 0 ? s.waiting : ''}`}>
        {tasks.length > 0 && (
          <div className={s.tasks}>
            <Tasks tasks={tasks} />
          </div>
        )}
        <div className={s.numbers}>
          <Numbers id={id} numbers={numbers} onRenew={canAddNote ? setRenewing : null} />
        </div>
        <div className={s.happened}>
          <CustomerHistory id={id} first={customer.happened} onWish={setAction} />
        </div>
        <div className={`${s.beside} ${s.column}`}>
          {notes && <Notes {...{ id, notes, isWriting }} isErased={erased !== null} onWrite={setWriting} />}
          <RecentAccess id={id} looked={looked} />
        </div>
      </div>
      <ActionDrawer
        {...{ id, wish: action }}
        isVerified={callerMinutesLeft > 0}
        onClose={() => setAction(null)}
        onDone={(text) => show(text, toastMs)}
      />
      <LazyRenewDrawer
        {...{ id, call }}
        service={renewing}
        isVerified={callerMinutesLeft > 0}
        onVerified={refresh}
        onClose={() => setRenewing(null)}
      />
      <CallerDrawer
        id={id}
        open={isVerifying}
        onClose={() => setVerifying(false)}
        onDone={() => show('The caller is verified.', toastMs)}
      />
      {toast}
    </div>
  )
}
