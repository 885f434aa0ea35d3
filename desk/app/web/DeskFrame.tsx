import { type MouseEvent, type ReactNode, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { Link } from '#kit/web/Link.tsx'
import type { RouteTable } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, usePath } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { useMe } from '#desk/features/staff/web/me.queries.ts'
import { countersQuery } from '#desk/features/counters/web/counters.queries.ts'
import { Clock } from './Clock.tsx'
import { Incident } from './Incident.tsx'
import { requestPalette } from './palette.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { MainMenu } from './MainMenu.tsx'
import { canSeeEntry, maxMobileMenuEntries, type MenuEntry, menuEntries } from './menu-entries.ts'
import { SearchField } from './SearchField.tsx'
import { signOutOfDesk } from './session.ts'
import * as s from './DeskFrame.module.css'

export function DeskFrame({ table, children }: { table: RouteTable; children: ReactNode }) {
  const me = useMe()
  const isFrameless = /^\/(sign-in|invited)\//.test(usePath())
  if (me && !isFrameless) return <SignedInFrame {...{ me, table, children }} />
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  )
}

function SignedInFrame({ me, table, children }: { me: Staff; table: RouteTable; children: ReactNode }) {
  const navigate = useNavigate()
  const { signOut, notice, readNotice } = useSignOut()
  const counters = useQuery(countersQuery(useApi())).data ?? null
  const hasPage = ({ path }: MenuEntry): boolean => table.match(path)?.page.status !== 404
  const visibleEntries = menuEntries.filter((place) => hasPage(place) && canSeeEntry(place, me))
  const searchEntry = visibleEntries.find(({ path }) => path === '/find/')
  useShortcuts(Object.fromEntries(visibleEntries.map(({ path, key }) => [`g ${key}`, () => navigate(path)])))
  return (
    <div className={s.frame} data-dense>
      <a className={`visually-hidden ${s.skip}`} href="#main">
        Skip to the content
      </a>
      <header className={s.side}>
        <HomeLink />
        {searchEntry && (
          <Link href={searchEntry.path} className={s.find} aria-label="Find" onClick={openPalette}>
            <DeskIcon name="search" />
          </Link>
        )}
        <MainMenu open={visibleEntries} waits={counters} />
        <PersonMenu me={me} others={visibleEntries.slice(maxMobileMenuEntries)} onSignOut={() => void signOut()} />
      </header>
      <section className={s.bar} aria-label="Search and clock">
        {searchEntry && <SearchField places={visibleEntries} />}
        <Incident incident={counters?.incident ?? null} />
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

/** Opens the search palette over the page. Until the palette's script has loaded, the link leads to the search page instead. */
function openPalette(event: MouseEvent) {
  if (requestPalette()) event.preventDefault()
}

function HomeLink() {
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

const signOutFailedMessage = 'You’re still signed in. Please check your connection and try signing out again.'

function useSignOut() {
  const api = useApi()
  const [notice, setNotice] = useState<string | null>(null)
  async function signOut(): Promise<void> {
    setNotice(null)
    await signOutOfDesk(api).catch(() => setNotice(signOutFailedMessage))
  }
  return { signOut, notice, readNotice: () => setNotice(null) }
}
