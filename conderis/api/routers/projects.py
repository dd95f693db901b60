"""Projects: listed, read, created, changed."""

from django.http import HttpRequest, HttpResponse
from ninja import Body, Query, Router

from conderis.api.answering import answered, stored
from conderis.api.authenticating import caller_of
from conderis.api.bodies import ProjectSent
from conderis.api.describing import described
from conderis.api.queries import ProjectList, ProjectNamed
from items.project_view import project_get
from projects.selectors import list_projects
from projects.services import store_project

router = Router(tags=["Projects"])


@router.get("/projects", **described("ProjectPage", reading=True))
def projects_list(request: HttpRequest, query: Query[ProjectList]) -> HttpResponse:
    """List or search the projects that you may read."""
    answer = list_projects(
        caller_of(request),
        query=query.query,
        sort=query.sort,
        limit=query.limit,
        cursor=query.cursor,
    )
    return answered(answer)


@router.post("/projects", **described("ProjectStored", statuses=(201,), fields="ProjectFields"))
def project_create(request: HttpRequest, sent: Body[ProjectSent]) -> HttpResponse:
    """Create a project. It is private until a person makes it public in the browser."""
    answer = store_project(caller_of(request), project_id=None, fields=sent.fields)
    return stored(answer, place=request.path, name="projectId", new=True)


@router.get("/project", **described("Project", reading=True))
def project_find(request: HttpRequest, query: Query[ProjectNamed]) -> HttpResponse:
    """Read the project that goes by a name, such as a git remote."""
    return answered(project_get(caller_of(request), query.projectId))


@router.get("/projects/{place:project}", **described("Project", reading=True))
def project_read(request: HttpRequest, project: str) -> HttpResponse:
    """Read a project: your permissions, assignees, counts, hygiene."""
    return answered(project_get(caller_of(request), project))


@router.patch("/projects/{place:project}", **described("ProjectStored", fields="ProjectFields"))
def project_change(request: HttpRequest, project: str, sent: Body[ProjectSent]) -> HttpResponse:
    """Change what a project says of itself. Needs the capability `manage`."""
    answer = store_project(caller_of(request), project_id=project, fields=sent.fields)
    return stored(answer, place=request.path, name="projectId", new=False)
