import { deskScreenCatalogue } from './desk-catalogue.ts'
import { checkDeskScreens } from './check-desk-screens.ts'

checkDeskScreens('desk-day', deskScreenCatalogue['desk-day'])
