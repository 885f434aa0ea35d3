import { createContext, use } from 'react'

/** True while the visitor's last activation was successful. Links to the wizard then offer to activate another SIM. */
export const HasActivatedContext = createContext(false)

export const useHasActivated = (): boolean => use(HasActivatedContext)

/** The link that replaces a link to the wizard, which would lead back to the SIM that is already active. */
export const anotherSim = { text: 'Activate another SIM', url: '/activate/new/' }
