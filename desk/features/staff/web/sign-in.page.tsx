import { ownPath } from '#kit/contract/own-path.ts'
import { useApi } from '#kit/web/api.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { PersonMark } from '#kit/web/desk/PersonMark.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { signInDemo } from '../staff.contract.ts'
import { Door } from './Door.tsx'
import { showPasskey } from './me.passkey.ts'
import { meQuery } from './me.queries.ts'
import { roleWords } from './me.words.ts'
import * as s from './Door.module.css'

export default function SignInPage() {
  const api = useApi()
  const { search } = useRawLocation()
  const people = useQuery(meQuery(api)).data?.demo ?? []
  // Loads a new document, so that this tab keeps nothing that was shown to another person.
  const enter = () => location.assign(ownPath(new URLSearchParams(search).get('next') ?? '/'))
  const byPasskey = useMutation({ mutationFn: () => showPasskey(api), onSuccess: enter })
  return (
    <Door title="Sign in" lead="Use the passkey on this computer, your phone or your security key.">
      <div className={s.acts}>
        <Failure error={byPasskey.error} />
        <BusyButton
          wide
          busy={byPasskey.isPending || byPasskey.isSuccess}
          busyText="Waiting for your passkey"
          onClick={() => void byPasskey.mutate()}
        >
          Sign in with your passkey
        </BusyButton>
        {people.length > 0 && <DemoPeople people={people} onEntered={enter} />}
      </div>
    </Door>
  )
}

type Person = { email: string; name: string; roles: Parameters<typeof roleWords>[0]['roles']; is_lead: boolean }

function DemoPeople({ people, onEntered }: { people: readonly Person[]; onEntered: () => void }) {
  return (
    <div className={s.people}>
      <p>This is the demo. You don’t need a passkey here.</p>
      {people.map((person) => (
        <DemoPerson key={person.email} person={person} onEntered={onEntered} />
      ))}
    </div>
  )
}

function DemoPerson({ person, onEntered }: { person: Person; onEntered: () => void }) {
  const api = useApi()
  const { email, name } = person
  const entering = useMutation({
    mutationFn: () => api.call(signInDemo, { body: { email } }),
    onSuccess: onEntered,
  })
  const isBusy = entering.isPending || entering.isSuccess
  return (
    <>
      <button
        type="button"
        className={s.person}
        aria-busy={isBusy || undefined}
        onClick={() => void (isBusy || entering.mutate())}
      >
        <PersonMark name={name} />
        <span>
          <b>{name}</b>
          <span className="visually-hidden">, </span>
          <small>{roleWords(person)}</small>
        </span>
      </button>
      <Failure error={entering.error} />
    </>
  )
}
