import { type MouseEvent, type ReactNode, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { useKeys } from '#kit/web/desk/use-keys.ts'
import { Link } from '#kit/web/Link.tsx'
import type { Table } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, usePath } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { useMe } from '#desk/features/staff/web/me.queries.ts'
import { waitsQuery } from '#desk/features/waits/web/me.waits.ts'
import { Clock } from './Clock.tsx'
import { Incident } from './Incident.tsx'
import { askForPalette } from './palette.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { PlaceMenu } from './PlaceMenu.tsx'
import { isFor, mostOnPhone, type Place, places } from './places.ts'
import { SearchField } from './SearchField.tsx'
import { signOutHere } from './session.ts'
import * as s from './DeskFrame.module.css'

export function DeskFrame({ table, children }: { table: Table; children: ReactNode }) {
  const me = useMe()
  const isDoor = /^\/(sign-in|invited)\//.test(usePath())
  if (me && !isDoor) return <WorkFrame {...{ me, table, children }} />
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  )
}

function WorkFrame({ me, table, children }: { me: Staff; table: Table; children: ReactNode }) {
  const navigate = useNavigate()
  const { signOut, notice, readNotice } = useSignOut()
  const waits = useQuery(waitsQuery(useApi())).data ?? null
  const isThere = ({ path }: Place): boolean => table.match(path)?.page.status !== 404
  const open = places.filter((place) => isThere(place) && isFor(place, me))
  const search = open.find(({ path }) => path === '/find/')
  useKeys(Object.fromEntries(open.map(({ path, key }) => [`g ${key}`, () => navigate(path)])))
  return (
    <div className={s.frame} data-dense>
      <a className={`visually-hidden ${s.skip}`} href="#main">
        Skip to the content
      </a>
      <header className={s.side}>
        <Home />
        {search && (
          <Link href={search.path} className={s.find} aria-label="Find" onClick={findHere}>
            <DeskIcon name="search" />
          </Link>
        )}
        <PlaceMenu open={open} waits={waits} />
        <PersonMenu me={me} others={open.slice(mostOnPhone)} onSignOut={() => void signOut()} />
      </header>
      <section className={s.bar} aria-label="Search and clock">
        {search && <SearchField places={open} />}
        <Incident incident={waits?.incident ?? null} />
        <Clock className={s.clock} />
      </section>
      <main id="main" tabIndex={-1} className={s.main}>
        <div role="status">
          {notice && (
            <Banner kind="bad" onClose={readNotice}>
              {notice}
            </Banner>
          )}
        </div>
        {children}
      </main>
    </div>
  )
}

/** Opens the search palette over the page. Until its script has loaded, the link leads to the search page. */
function findHere(event: MouseEvent) {
  if (askForPalette()) event.preventDefault()
}

function Home() {
  const { brand } = useBootstrap()
  return (
    <Link href="/" className={s.home}>
      <img src={brand.mark} alt="" width="28" height="28" />
      <span>
        <b>{brand.shortName}</b> desk
      </span>
    </Link>
  )
}

const stillHere = 'You are still signed in. Please check your connection and sign out again.'

function useSignOut() {
  const api = useApi()
  const [notice, setNotice] = useState<string | null>(null)
  async function signOut(): Promise<void> {
    setNotice(null)
    await signOutHere(api).catch(() => setNotice(stillHere))
  }
  return { signOut, notice, readNotice: () => setNotice(null) }
}
