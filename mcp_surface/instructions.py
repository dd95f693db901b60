"""What the server tells a client at the start of a connection: at most 600 characters."""

SERVER_INSTRUCTIONS = (
    "Conderis keeps what a project knows and has to do: memories, pages, tasks and instructions "
    "for agents. Call recall first, with projectId (owner/name or the git remote). Entries carry "
    "their version (#21 v2): send it when you change or act on one. Changes of shared memories, "
    "pages and the instructions may become proposals that a person reviews; tasks and private "
    "memories never do; project_get says what you may do. The guide: recall with guide: true. "
    "A refusal names what is allowed: mend the call and send it again."
)
